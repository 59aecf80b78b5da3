/** For who is signed in and may see no project at all. */
import { boot } from '../data/session.ts'
import { signOut } from '../data/signing-in.ts'
import { Button } from '../kit/form/button.tsx'
import { Row } from '../kit/layout/card.tsx'
import { Empty } from '../kit/state/empty.tsx'
import styles from './not-found.module.css'
import { useTitle } from './use-title.ts'

export function NoProject() {
  useTitle('No project')
  const { user, via } = boot.signed_in ?? { user: { email: '' }, via: 'password' }
  const why =
    via === 'key'
      ? 'The key that you signed in with reaches no project: those it was made for are gone, or its user is in no organization that has one.'
      : 'You are in no organization that has one.'
  return (
    <main className={styles.page}>
      <h1 className="visually-hidden">No project</h1>
      <Empty
        title="There is no project for you yet"
        actions={
          <Row>
            <Button kind="main" onClick={() => location.reload()}>
              Check again
            </Button>
            <Button onClick={() => void signOut()}>Sign out</Button>
          </Row>
        }
      >
        {why} You are signed in as {user.email}. Whoever runs this server can add you to an organization (
        <code>hedgerow users join</code>) or make a project (<code>hedgerow projects create</code>).
      </Empty>
    </main>
  )
}
