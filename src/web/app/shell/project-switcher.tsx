/** The project that is shown, and the others that one may go to: to the same screen, where they have it. */
import { CaretSortIcon, CheckIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import type { BootProject } from '../data/boot.ts'
import { boot } from '../data/session.ts'
import { MenuText, menuItem, Popover } from '../kit/overlay/popover.tsx'
import icon from '../look/icon.svg'
import styles from './menus.module.css'
import { usePathIn } from './use-screen.ts'

export function ProjectSwitcher({ project }: { project: BootProject }) {
  const pathIn = usePathIn()
  const { projects, project_count } = boot.signed_in ?? { projects: [], project_count: 0 }
  const others = project_count - projects.length
  return (
    <Popover
      label={`Project: ${project.name}. Change it`}
      buttonClass={styles.opener}
      button={
        <>
          <img src={icon} alt="" width="22" height="22" />
          <span className={styles.name} dir="auto" aria-hidden="true">
            {project.name}
          </span>
          <CaretSortIcon aria-hidden="true" />
        </>
      }
    >
      <MenuText>Projects</MenuText>
      {projects.map((other) => (
        <Link key={other.id} to={pathIn(other)} className={menuItem(other.id === project.id)}>
          <span className={styles.name} dir="auto">
            {other.name}
          </span>
          {other.id === project.id && <CheckIcon aria-label="shown" />}
        </Link>
      ))}
      {others > 0 && <MenuText>{others} more are reached by their address</MenuText>}
    </Popover>
  )
}
