/** What the URLs of all stores on other machines have in common. Whatever is refused, the sentence never has a password. */
import { OperatorError } from '../lib/errors.ts'

/** Refuses the value of this setting; `sentence` goes on after its name. */
export const refuserOf =
  (setting: string) =>
  (sentence: string): never => {
    throw new OperatorError(`${setting} ${sentence}.`)
  }

type Refuse = ReturnType<typeof refuserOf>

/** `what`: what a part of the URL is called when it cannot be decoded. */
export function decodedPart(part: string, what: string, refuse: Refuse): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return refuse(`has a ${what} with a percent sign that is not encoded; write it as %25`)
  }
}

/** Every parameter must be known, and there once. */
export function checkParameters(parameters: URLSearchParams, known: readonly string[], refuse: Refuse): void {
  for (const name of parameters.keys()) {
    if (!known.includes(name)) refuse(`has the parameter ${name}, but only ${known.join(', ')} are known`)
    if (parameters.getAll(name).length > 1) refuse(`has the parameter ${name} twice`)
  }
}
