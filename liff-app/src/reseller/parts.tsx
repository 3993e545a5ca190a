import { messageOf } from '@shop/shared/errors.ts'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'

/** Short facts side by side, each whole on its line if it fits. What is no text is left out. */
export const Parts = ({ parts }: { parts: (string | false | null)[] }) => (
  <p className="flex flex-wrap gap-x-3 text-ink-2 text-note">
    {parts.map(part => part && <span key={part}>{part}</span>)}
  </p>
)

type Pages = Pick<
  UseInfiniteQueryResult,
  'error' | 'hasNextPage' | 'isFetchNextPageError' | 'isFetchingNextPage' | 'fetchNextPage'
>

/** Leads to the rest of a list, below what is shown of it; says why that did not come. */
export const MorePages = ({ query }: { query: Pages }) => (
  <>
    <Problem className="mb-2">{query.isFetchNextPageError && messageOf(query.error)}</Problem>
    {query.hasNextPage && (
      <Button
        kind="secondary"
        size="small"
        block
        busy={query.isFetchingNextPage}
        busyLabel="กำลังโหลด"
        onClick={() => void query.fetchNextPage()}
      >
        โหลดเพิ่ม
      </Button>
    )}
  </>
)
