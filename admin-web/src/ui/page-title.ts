import { SITE_NAME } from './brand.tsx'

let title = ''
let waiting = 0

function show() {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title ? `${title} · ` : ''}${SITE_NAME}`
}

/** Sets the name of the current page. */
export function setPageTitle(text: string): void {
  title = text
  show()
}

/** Sets the number of waiting things, which people see on the tab while they look at another one. */
export function setWaitingCount(count: number): void {
  waiting = count
  show()
}
