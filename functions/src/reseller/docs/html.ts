/** Pieces of HTML that the guide is built from. */

export const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)

/** A line that is only a comment, in any of the languages of the examples. */
const COMMENT = /^\s*(\/\/|\/\*|\*|#(?!!)|""")/

/** A block of code with a button that copies it. @param copy what stands on the button */
export function codeBlock(text: string, copy: string): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => (COMMENT.test(line) ? `<span class="comment">${escaped(line)}</span>` : escaped(line)))
  return `<div class="code"><button type="button" class="copy">${copy}</button><pre tabindex="0"><code>${lines.join('\n')}</code></pre></div>\n`
}

/** A table whose cells are HTML. It scrolls by itself where it is too wide. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'td' | 'th', row: readonly string[]) =>
    `<tr>${row.map(cell => (tag === 'th' ? `<th scope="col">${cell}</th>` : `<td>${cell}</td>`)).join('')}</tr>`
  return `<div class="table" tabindex="0"><table><thead>${cells('th', head)}</thead><tbody>${rows.map(row => cells('td', row)).join('')}</tbody></table></div>\n`
}

/** Tabs, all of whose panels are seen where no script runs. @param panels by name: their ids and HTML */
export function tabsOf(label: string, panels: readonly { id: string; title: string; html: string }[]): string {
  const buttons = panels.map(
    ({ id, title }, at) =>
      `<button type="button" role="tab" id="tab-${id}" aria-controls="panel-${id}" aria-selected="${at === 0}" tabindex="${at === 0 ? 0 : -1}">${escaped(title)}</button>`,
  )
  const bodies = panels.map(
    ({ id, html }) => `<div role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}">${html}</div>`,
  )
  return `<div class="tabs"><div role="tablist" aria-label="${escaped(label)}">${buttons.join('')}</div>${bodies.join('')}</div>\n`
}
