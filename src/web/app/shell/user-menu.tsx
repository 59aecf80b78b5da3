/** Who is signed in, the theme, and the way out. */
import { CaretSortIcon, ExitIcon, FileTextIcon, LaptopIcon, MoonIcon, SunIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import type { Theme } from '../data/boot.ts'
import { addressOf, boot } from '../data/session.ts'
import { signOut } from '../data/signing-in.ts'
import { useStore } from '../data/store.ts'
import { setTheme, THEME_NAMES, theme } from '../data/theme.ts'
import { MenuLine, MenuText, menuItem, Popover } from '../kit/overlay/popover.tsx'
import styles from './menus.module.css'

const THEMES: [Theme, ReactNode][] = [
  ['system', <LaptopIcon key="system" />],
  ['light', <SunIcon key="light" />],
  ['dark', <MoonIcon key="dark" />],
]

export function UserMenu() {
  const shown = useStore(theme)
  const user = boot.signed_in?.user
  const name = user?.first_name || user?.email || ''
  return (
    <Popover
      label={`${name}: your menu`}
      buttonClass={styles.opener}
      button={
        <>
          <span className={styles.initial} aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.name} aria-hidden="true">
            {name}
          </span>
          <CaretSortIcon aria-hidden="true" />
        </>
      }
    >
      <MenuText>{user?.email}</MenuText>
      <MenuLine />
      {THEMES.map(([id, icon]) => (
        <button
          key={id}
          type="button"
          className={menuItem(id === shown)}
          aria-pressed={id === shown}
          onClick={() => setTheme(id)}
        >
          {icon}
          <span>Theme: {THEME_NAMES[id]}</span>
        </button>
      ))}
      <MenuLine />
      <a className={menuItem()} href={addressOf('/static/app/licenses.txt')} target="_blank" rel="noreferrer">
        <FileTextIcon />
        <span>Licences</span>
      </a>
      <button type="button" className={menuItem()} onClick={() => void signOut()}>
        <ExitIcon />
        <span>Sign out</span>
      </button>
      <MenuText>Version {boot.version}</MenuText>
    </Popover>
  )
}
