/** A link of a row. The router's own costs more than the rest of the row, of which dozens appear at once while scrolling. */
import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

interface RowLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A path of the app. */
  to: string
  /** What the address of that screen says. */
  search?: Readonly<Record<string, string>>
}

/** Opens nothing beside. */
export const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

export function RowLink({ to, search = {}, children, ...rest }: RowLinkProps) {
  const router = useRouter()
  const base = router.basepath === '/' ? '' : router.basepath
  const target = { to, search: search as never }
  return (
    <a
      {...rest}
      href={base + to + router.options.stringifySearch(search)}
      onPointerEnter={() => void router.preloadRoute(target)}
      onClick={(event) => {
        if (!isPlain(event)) return
        event.preventDefault()
        void router.navigate(target)
      }}
    >
      {children}
    </a>
  )
}
