/** The server stops counting here. */
const COUNTED = 10_000
const PAGE_SIZES = [10, 20, 50, 100]
const PAGE_SIZE = 10
const LAST_PAGE = 1000

const grouped = (count: number) => count.toLocaleString('en-US')

/** The pager of a list that the server pages; `total` is capped at 10,001. */
export function pagerOf(options: {
  page: number
  pageSize: number
  total: number
  onChange: (page: number, pageSize: number) => void
}) {
  const { page, pageSize, total, onChange } = options
  return {
    current: page,
    pageSize,
    total: Math.min(total, COUNTED),
    showTotal: () => `${total > COUNTED ? `มากกว่า ${grouped(COUNTED)}` : grouped(total)} รายการ`,
    showSizeChanger: true,
    pageSizeOptions: PAGE_SIZES,
    onChange: (next: number, nextSize: number) => onChange(nextSize === pageSize ? next : 1, nextSize),
  }
}

const wholeNumber = (text: string | null): number => (text && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0)

/** Page and page size of an address; nonsense is the first page of ten. */
export function readPaging(params: URLSearchParams): { page: number; pageSize: number } {
  const pageSize = wholeNumber(params.get('pageSize'))
  return {
    page: Math.min(wholeNumber(params.get('page')) || 1, LAST_PAGE),
    pageSize: PAGE_SIZES.includes(pageSize) ? pageSize : PAGE_SIZE,
  }
}

/** What `readPaging` reads, without what is the default anyway. */
export function writePaging({ page, pageSize }: { page: number; pageSize: number }): [string, string][] {
  const entries: [string, string][] = []
  if (page > 1) entries.push(['page', String(page)])
  if (pageSize !== PAGE_SIZE) entries.push(['pageSize', String(pageSize)])
  return entries
}
