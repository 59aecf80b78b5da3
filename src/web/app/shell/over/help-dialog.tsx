/** Every key, from shortcuts.ts and screens.ts. */
import { shortcutsEnabled } from '../../data/keyboard.ts'
import { useStore } from '../../data/store.ts'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { screens } from '../../screens.ts'
import { shortcuts } from '../../shortcuts.ts'
import styles from './help-dialog.module.css'

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)
const shownAs = (key: string): string => (key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : key)

function Line({ keys, words, where }: { keys: readonly string[]; words: string; where?: string | undefined }) {
  return (
    <tr>
      <th scope="row" className={styles.keys}>
        {keys.map((key) => (
          <kbd key={key}>{shownAs(key)}</kbd>
        ))}
      </th>
      <td>
        {words}
        {where !== undefined && <span className={styles.where}> · {where}</span>}
      </td>
    </tr>
  )
}

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const enabled = useStore(shortcutsEnabled)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {!enabled && <Notice>Single keys are switched off in this browser; see “My account”.</Notice>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list is longer than the dialog, and is scrolled by the keyboard */}
      <table className={styles.table} tabIndex={0}>
        <caption className="visually-hidden">Keys and what they do</caption>
        <tbody>
          {shortcuts.map(({ id, keys, words, where }) => (
            <Line key={id} keys={keys} words={words} where={where} />
          ))}
          {screens.map(
            ({ path, key, name }) => key !== undefined && <Line key={path} keys={['g', key]} words={`Go to ${name}`} />,
          )}
        </tbody>
      </table>
    </Dialog>
  )
}
