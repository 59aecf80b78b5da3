/** The mail to the creator of a subscription that was disabled because its target can never work. */

import {
  buttons,
  escapeForMail,
  heading,
  htmlDocument,
  paragraph,
  problem,
  row,
  small,
} from '../../../transports/mail-html.ts'
import type { MailContent } from './mail.ts'
import { oneLine } from './message-text.ts'
import type { Report } from './report.ts'

export interface Disabled {
  subscription: Pick<Report['subscription'], 'id' | 'title' | 'link'>
  resource: Pick<Report['resource'], 'name'>
  /** Text for the reader; of a secret address only the host. */
  reason: string
}

const NEXT_STEP = 'Nothing more is sent until you give it a target that works and switch it on again.'

export function disabledMail({ subscription, resource, reason }: Disabled): MailContent {
  const title = oneLine(subscription.title ?? resource.name, 100)
  const subject = `Hedgerow subscription "${title}" has been disabled`
  const why = oneLine(reason, 500)
  const { link } = subscription
  const manage = link === null ? [] : [{ text: 'Manage subscription', url: link }]
  const text = [`${subject}.`, why, NEXT_STEP, ...manage.map((way) => `${way.text}: ${way.url}`)].join('\n\n')
  const html = htmlDocument({
    title: subject,
    preview: why,
    rows: [
      row(small('Hedgerow · Subscription')),
      row(heading(title, link), 2),
      row(paragraph('This subscription has been disabled.'), 8),
      row(problem(why)),
      row(paragraph(escapeForMail(NEXT_STEP))),
      ...(manage.length === 0 ? [] : [row(buttons(manage), 22)]),
    ],
    footer: [],
  })
  return { subject, text: `${text}\n`, html, attachments: [] }
}
