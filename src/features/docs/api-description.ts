/** The introduction of the API document: what applies to all operations. */

export const API_DESCRIPTION = `People, session recordings, sessions and scheduled reports of one project.

**Two spellings.** Every path under \`/api/environments/{project_id}/\` answers the same under \`/api/projects/{project_id}/\`. The trailing slash is optional.

**Keys.** Send a personal API key as \`Authorization: Bearer phx_…\`. A scope \`x:write\` implies \`x:read\`; \`*\` is everything.

**Errors** have one body, \`{"type", "code", "detail", "attr"}\`. A method that a path does not have is answered 405 with \`Allow\`.

**Dates** are UTC, ISO 8601 with \`Z\`; on the way in any offset is taken, none means UTC.

**Bodies.** No body, an empty one and \`{}\` are the same. Fields and parameters that are not known are ignored.`
