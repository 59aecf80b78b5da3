/**
 * The state of a screen and its address, each made of the other. A field has a default, which is left out of the address;
 * what cannot be read falls back to it, and is told.
 */

export type Params = Readonly<Record<string, string>>

export interface SearchField<T> {
  fallback: T
  /** Undefined when the text is not one of this field's. */
  parse: (text: string) => T | undefined
  format: (value: T) => string
}

export interface Search<State> {
  fallback: State
  /** `unread`: names of parameters that were not understood. */
  read: (params: Params) => { state: State; unread: string[] }
  write: (state: State) => Params
}

/** Parameters of every screen, which are not its own and stay while one goes from screen to screen. */
export const COMMON = ['theme', 'kiosk'] as const
const isCommon = (name: string): boolean => COMMON.some((common) => common === name)

/** Whether the screen is shown without the frame around it. */
export const isKiosk = ({ kiosk }: Params): boolean => kiosk === '1'

export function defineSearch<State extends object>(
  fields: { [Name in keyof State]: SearchField<State[Name]> },
): Search<State> {
  const names = Object.keys(fields) as (keyof State & string)[]
  const fallback = Object.fromEntries(names.map((name) => [name, fields[name].fallback])) as State
  return {
    fallback,
    read(params) {
      const unread = Object.keys(params).filter((name) => !names.includes(name as never) && !isCommon(name))
      const state = { ...fallback }
      for (const name of names) {
        const text = params[name]
        if (text === undefined) continue
        const value = fields[name].parse(text)
        if (value === undefined) unread.push(name)
        else state[name] = value
      }
      return { state, unread }
    },
    write(state) {
      const texts = names.map((name) => [name, fields[name].format(state[name])] as const)
      return Object.fromEntries(texts.filter(([name, text]) => text !== fields[name].format(fields[name].fallback)))
    },
  }
}

/** One of these words. */
export const choice = <const Word extends string>(words: readonly Word[], fallback: Word): SearchField<Word> => ({
  fallback,
  parse: (text) => words.find((word) => word === text),
  format: (word) => word,
})

/** Any text. */
export const anyText = (fallback = ''): SearchField<string> => ({
  fallback,
  parse: (text) => text,
  format: (text) => text,
})

/** A whole number from 1 on. */
export const pageNumber: SearchField<number> = {
  fallback: 1,
  parse: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
  format: String,
}

/** Undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Several texts, each once; as JSON, since a text may have any character in it. */
export const texts = (fallback: readonly string[] = []): SearchField<readonly string[]> => ({
  fallback,
  parse: (text) => {
    const found = parseJson(text)
    const isList = Array.isArray(found) && found.every((item) => typeof item === 'string')
    return isList ? [...new Set(found as string[])] : undefined
  },
  format: (list) => JSON.stringify(list),
})

/** A path of the app with its query: never an address of another host. */
export const ownPath = (fallback: string): SearchField<string> => ({
  fallback,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them from addresses
  parse: (text) => (/^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(text) ? text : undefined),
  format: (path) => path,
})

/** For screens whose path says it all. */
export const noSearch: Search<object> = defineSearch({})
