/** The words of the API document that no single operation has: its introduction and what each tag is about. */

export const API_DESCRIPTION = `People, session recordings, sessions and scheduled reports of one project.

**Two spellings.** Every path under \`/api/environments/{project_id}/\` answers the same under \`/api/projects/{project_id}/\`. The trailing slash is optional.

**Keys.** Send a personal API key as \`Authorization: Bearer phx_…\`. A scope \`x:write\` implies \`x:read\`; \`*\` is everything.

**Errors** have one body, \`{"type", "code", "detail", "attr"}\`. A method that a path does not have is answered 405 with \`Allow\`.

**Dates** are UTC, ISO 8601 with \`Z\`; on the way in any offset is taken, none means UTC.

**Bodies.** No body, an empty one and \`{}\` are the same. Fields and parameters that are not known are ignored.`

/** What the operations of each tag are about. */
export const TAG_DESCRIPTIONS: Record<string, string> = {
  projects: 'Projects, their settings, and the token that SDKs send.',
  persons: 'People with their distinct ids and properties: read, list, change, split, merge and delete them.',
  activity_log: 'Who changed what in a project, and undoing it.',
  sign_in: 'Signing in and out in a browser, and where a user is signed in.',
  session_recordings: 'Recorded sessions: list, read, mark as seen and delete them, and read what plays them.',
  sharing: 'Links that show a recording to people without a key.',
  sessions: 'Sessions, computed from their events: list and read them, their properties and the values they have.',
  events: 'Captured events, and warnings about those that could not be taken.',
  definitions: 'The names of events and properties, learned from what was captured.',
  subscriptions: 'Reports that are sent on a schedule, and what came of each delivery.',
  insights: 'Saved questions with their results, also as pictures.',
  dashboards: 'Insights arranged on a page, also as one picture.',
  query: 'Questions that are answered without being saved.',
  feature_flags: 'There are none: the lists are empty, and SDKs are told so.',
  experiments: 'There are none: the list is empty.',
  surveys: 'There are none: the list is empty.',
  cohorts: 'There are none: the list is empty.',
  actions: 'There are none: the list is empty.',
  organizations: 'The organizations that the key reaches, with their projects.',
  personal_api_keys: 'The keys of the user behind the key.',
  users: 'The user behind the key.',
  system: 'Health, metrics and the API document, for those who run the server.',
}
