/** Reads a Dockerfile: as much of its language as ours needs. What it does not know it refuses. */

export interface Instruction {
  name: string
  /** After the name, on one line. */
  text: string
}

export interface Stage {
  image: string
  /** Null: the last one need not have a name. */
  name: string | null
  instructions: Instruction[]
}

const KNOWN = ['WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD']

function readLines(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .join('\n')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.+)$/.exec(line) ?? []
    return { name, text: rest.trim() }
  })
}

/** `A=1 B=2`. */
export const readPairs = (text: string): [string, string][] =>
  text.split(/ +/).map((pair) => {
    const [, name, value] = /^(\w+)=([^"'$\s]*)$/.exec(pair) ?? []
    if (name === undefined || value === undefined) throw new Error(`not a name and a plain value: ${pair}`)
    return [name, value]
  })

export function readDockerfile(text: string): { args: Map<string, string>; stages: Stage[] } {
  const args = new Map<string, string>()
  const stages: Stage[] = []
  const fill = (image: string): string =>
    image.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = args.get(name)
      if (value === undefined) throw new Error(`no ARG ${name}`)
      return value
    })
  for (const instruction of readLines(text)) {
    const stage = stages.at(-1)
    if (instruction.name === 'FROM') {
      const [, image = '', name] = /^(\S+)(?: AS (\w+))?$/.exec(instruction.text) ?? []
      stages.push({ image: fill(image), name: name ?? null, instructions: [] })
    } else if (instruction.name === 'ARG' && !stage) {
      for (const [name, value] of readPairs(instruction.text)) args.set(name, value)
    } else if (stage && KNOWN.includes(instruction.name)) stage.instructions.push(instruction)
    else throw new Error(`not known here: ${instruction.name} ${instruction.text}`)
  }
  return { args, stages }
}

/** The words of `CMD ["…", "…"]`. */
export function readCommand(text: string): string[] {
  const words: unknown = JSON.parse(text)
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) throw new Error(`no command: ${text}`)
  return words
}
