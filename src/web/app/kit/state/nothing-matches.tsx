/** Nothing matches: the filters in words, and a button for each to drop it. */
import { Cross2Icon } from '@radix-ui/react-icons'
import { Button } from '../form/button.tsx'
import { Row } from '../layout/card.tsx'
import { Empty } from './empty.tsx'

/** One filter of a list. */
export interface SetFilter {
  words: string
  drop: () => void
}

export function NothingMatches({ what, filters }: { what: string; filters: readonly SetFilter[] }) {
  return (
    <Empty
      title={`No ${what} matches`}
      actions={
        <Row>
          {filters.map(({ words, drop }) => (
            <Button key={words} small icon={<Cross2Icon />} onClick={drop}>
              {words}
            </Button>
          ))}
        </Row>
      }
    >
      Drop a filter to see more:
    </Empty>
  )
}
