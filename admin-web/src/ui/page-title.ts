import { SITE_NAME } from './brand.tsx'

let title = ''
let waiting = 0

function show() {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title ? `${title} · ` : ''}${SITE_NAME}`
}

/** What the page in front is. */
export function setPageTitle(text: string): void {
  title = text
  show()
}

/** How much waits, seen on the tab while another is in front. */
export function setWaitingCount(count: number): void {
  waiting = count
  show()
}
