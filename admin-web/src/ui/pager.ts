import { PAGE_SIZES, type Paging } from '@shop/web/url-filters.ts'

/** The server stops counting here. */
const COUNTED = 10_000

const grouped = (count: number) => count.toLocaleString('en-US')

/** How many rows a list has, in words. */
export const countText = (total: number) => (total > COUNTED ? `มากกว่า ${grouped(COUNTED)}` : grouped(total))

/** The pager of a list that the server pages; `total` is capped at 10,001. */
export function pagerOf({ page, pageSize }: Paging, total: number, change: (paging: Paging) => void) {
  return {
    current: page,
    pageSize,
    total: Math.min(total, COUNTED),
    showTotal: () => `${countText(total)} รายการ`,
    showSizeChanger: true,
    pageSizeOptions: PAGE_SIZES,
    onChange: (next: number, nextSize: number) =>
      change({ page: nextSize === pageSize ? next : 1, pageSize: nextSize }),
  }
}
