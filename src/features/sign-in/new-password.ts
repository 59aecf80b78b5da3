/** What a password has to be: long enough to withstand guessing, and no more rules than that. */
import { invalid } from '../../lib/errors.ts'

const MIN_CHARACTERS = 12
const MAX_BYTES = 1_000

export function checkNewPassword(password: string): void {
  if ([...password.normalize('NFC')].length < MIN_CHARACTERS) {
    throw invalid(`A password has at least ${MIN_CHARACTERS} characters.`, 'password', 'password_too_short')
  }
  if (Buffer.byteLength(password) > MAX_BYTES) {
    throw invalid(`A password has at most ${MAX_BYTES} bytes.`, 'password', 'password_too_long')
  }
}
