/**
 * Whether SIGHUP was ignored when this process was started, as `nohup` has it. Node resets ignored signals to their
 * default before any of our code runs, so its own state is no answer: what is left are the shell's note of the command
 * that it ran, the file that nohup writes to, and the parent, from which the setting was inherited.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** SIGHUP is signal 1: the lowest bit of the mask. */
function ignoresHangup(pid: number | 'self'): boolean {
  try {
    const [, mask = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return (BigInt(`0x${mask}`) & 1n) === 1n
  } catch {
    // Not Linux, or the parent is gone.
    return false
  }
}

function writesToNohupFile(): boolean {
  try {
    return [1, 2].some((file) => basename(readlinkSync(`/proc/self/fd/${file}`)) === 'nohup.out')
  } catch {
    return false
  }
}

export const isHangupIgnored = (env: Record<string, string | undefined>, parent: number): boolean =>
  basename(env._ ?? '') === 'nohup' || writesToNohupFile() || ignoresHangup('self') || ignoresHangup(parent)
