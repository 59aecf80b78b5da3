/** None, read or write for each kind of thing, as a table of radio buttons. */

import styles from './keys.module.css'
import { type Access, type Choice, SCOPE_OBJECTS } from './scopes.ts'

const LEVELS: [Access, string][] = [
  ['none', 'None'],
  ['read', 'Read'],
  ['write', 'Write'],
]

interface ScopesChoiceProps {
  choice: Choice
  onChoice: (choice: Choice) => void
}

export function ScopesChoice({ choice, onChoice }: ScopesChoiceProps) {
  return (
    <details className={styles.details}>
      <summary>Choose each scope</summary>
      <table className={styles.scopes}>
        <caption className="visually-hidden">What the key may do with each kind of thing</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {LEVELS.map(([level, name]) => (
              <th key={level} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SCOPE_OBJECTS.map(([object, name]) => (
            <tr key={object}>
              <th scope="row">
                {name} <code className={styles.object}>{object}</code>
              </th>
              {LEVELS.map(([level, levelName]) => (
                <td key={level}>
                  <input
                    type="radio"
                    name={`scope-${object}`}
                    aria-label={`${name}: ${levelName}`}
                    checked={choice[object] === level}
                    onChange={() => onChoice({ ...choice, [object]: level })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
