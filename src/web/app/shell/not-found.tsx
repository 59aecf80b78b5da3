/** An address at which nothing is. */
import { Link } from '@tanstack/react-router'
import { Empty } from '../kit/state/empty.tsx'
import styles from './not-found.module.css'
import { useTitle } from './use-title.ts'

export function NotFound() {
  useTitle('Not found')
  return (
    <main className={styles.page}>
      <h1 className="visually-hidden">Not found</h1>
      <Empty title="There is nothing at this address" actions={<Link to="/">Go to the start</Link>}>
        It may have been deleted, or the link may be incomplete.
      </Empty>
    </main>
  )
}
