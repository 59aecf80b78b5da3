/** The page of the app as the build left it, with what is known only when it is asked for. */
import { escapeHtml } from '../../lib/text/escape-html.ts'
import type { BootData, Theme } from '../../model/accounts/boot-data.ts'

const BOOT = '<script type="application/json" id="boot"></script>'

/** Nothing in it ends the element around it, whatever names of projects contain. */
const inScript = (data: unknown): string =>
  JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `template`: names its files by `./`, as Vite writes them; `files`: where they are, with a slash at its end. */
export function fillPage(template: string, boot: BootData, theme: Theme, files: string): string {
  return template
    .replaceAll('"./', () => `"${escapeHtml(files)}`)
    .replace('data-theme="system"', `data-theme="${theme}"`)
    .replace(BOOT, (element) => element.replace('></', () => `>${inScript(boot)}</`))
}
