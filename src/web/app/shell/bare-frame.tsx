/** What is around a screen for people who are not signed in: the name, and nothing to go to. */
import { Outlet } from '@tanstack/react-router'
import icon from '../look/icon.svg'
import styles from './bare-frame.module.css'
import { useScreen } from './use-screen.ts'
import { useTitle } from './use-title.ts'

export function BareFrame() {
  useTitle(useScreen()?.name)
  return (
    <div className={styles.frame}>
      <header className={styles.head}>
        <img src={icon} alt="" width="28" height="28" />
        <span>Hedgerow</span>
      </header>
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  )
}
