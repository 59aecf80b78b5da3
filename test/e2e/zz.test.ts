import { it } from 'vitest'
import { makeApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'
import { makeRecording } from '../support/make.ts'
it('x', async () => {
  const app = await makeApp(); const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const b = await openBrowser(); const page = await b.context.newPage()
  await page.goto(address + '/shared/nope'); await page.screenshot({ path: '/tmp/shared-try/404.png' })
  const { sessionId } = await makeRecording(app)
  const { access_token } = (await app.call('PATCH', `/api/environments/1/session_recordings/${sessionId}/sharing/`, { body: { enabled: true, password_required: true, settings: { theme: 'dark' } } })).json()
  await page.goto(address + '/shared/' + access_token); await page.fill('#password', 'x'); await page.click('button'); await page.getByText('Incorrect').waitFor(); await page.screenshot({ path: '/tmp/shared-try/pw.png' })
  await b.close(); await app.end()
})
