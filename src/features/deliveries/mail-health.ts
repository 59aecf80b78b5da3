/**
 * Whether the mail server can be used. Known from the mails that are sent and, where none are, from a login now and then:
 * each minute while it fails, otherwise rarely. A failure that lasts for a minute is a trouble that people are told of.
 */
import { errorText } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE } from '../../lib/time/time.ts'
import type { Mailer } from '../../transports/mail.ts'

interface MailTrouble {
  /** By the clock's time. */
  since: number
  reason: string
}

/** A server that works is left alone for as long. */
const TRUSTED_FOR = 15 * MINUTE
/** A shorter failure may be a restart of the mail server. */
const TOLERATED = MINUTE

export interface MailHealthParts {
  mailer: Mailer
  clock: Clock
  /** Called when a trouble begins, and with null when it is over. */
  changed: (trouble: MailTrouble | null) => void
}

interface Failing extends MailTrouble {
  steadySince: number
}

export interface MailHealth {
  /** Sends as the one that was given. */
  mailer: Mailer
  /** Null: it works, as far as is known. */
  trouble(): MailTrouble | null
  /** Logs in when it is time. */
  check(): Promise<void>
  /** Logs in now; what is wrong, in words, or null. */
  verify(): Promise<string | null>
}

export function watchMail({ mailer, clock, changed }: MailHealthParts): MailHealth {
  let failing: Failing | null = null
  let isTold = false
  let seenAt = Number.NEGATIVE_INFINITY

  const trouble = (): MailTrouble | null => {
    if (failing === null || clock.steady() - failing.steadySince < TOLERATED) return null
    const { since, reason } = failing
    return { since, reason }
  }

  /** `problem`: null when it could be used. */
  const note = (problem: string | null): void => {
    seenAt = clock.steady()
    if (problem === null) failing = null
    else failing = { since: clock.now(), steadySince: seenAt, ...failing, reason: problem }
    const now = trouble()
    if ((now !== null) === isTold) return
    isTold = now !== null
    changed(now)
  }

  const verify = async (): Promise<string | null> => {
    const problem = await mailer.verify().then(
      () => null,
      (error: unknown) => errorText(error).replaceAll(/\s+/g, ' '),
    )
    note(problem)
    return problem
  }

  return {
    mailer: {
      ...mailer,
      async send(message) {
        const outcome = await mailer.send(message)
        if (outcome.kind !== 'retry') note(null)
        else if (outcome.isServerDown) note(outcome.reason)
        return outcome
      },
    },
    trouble,
    async check() {
      if (failing !== null || clock.steady() - seenAt >= TRUSTED_FOR) await verify()
    },
    verify,
  }
}
