import { DownloadIcon } from '@radix-ui/react-icons'
import { LinkButton } from './button.tsx'

/** What the screen lists, as a file. A screen has one of these at most; a key takes it, too. */
export function CsvLink({ href }: { href: string }) {
  return (
    <LinkButton href={href} icon={<DownloadIcon />} download data-export="">
      Export CSV
    </LinkButton>
  )
}
