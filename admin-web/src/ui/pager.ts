import { MOST_KEPT } from '@shop/shared/list-count.ts'
import { PAGE_SIZES, type Paging } from './url-filters.ts'

const grouped = (count: number) => count.toLocaleString('en-US')

/** How many rows a list has, in words. */
export const countText = (total: number, counted = MOST_KEPT) =>
  total > counted ? `มากกว่า ${grouped(counted)}` : grouped(total)

/** The pager of a list that the server pages; a `total` above `counted` means that there are more. */
export function pagerOf(
  { page, pageSize }: Paging,
  total: number,
  change: (paging: Paging) => void,
  counted = MOST_KEPT,
) {
  return {
    current: page,
    pageSize,
    total: Math.min(total, counted),
    showTotal: () => `${countText(total, counted)} รายการ`,
    showSizeChanger: true,
    pageSizeOptions: PAGE_SIZES,
    onChange: (next: number, nextSize: number) =>
      change({ page: nextSize === pageSize ? next : 1, pageSize: nextSize }),
  }
}
