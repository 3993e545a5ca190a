const EDITABLE = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [role=combobox]'
const ELSEWHERE = '[role=dialog], .ant-modal-root, .ant-drawer, .ant-popover, .ant-select-dropdown, nav'

type Pressed = Pick<KeyboardEvent, 'key' | 'code'>

/** The Latin letter on a key, whatever the keyboard layout; empty for other keys. */
export const letterOf = ({ key, code }: Pressed): string =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() : code.startsWith('Key') ? code.slice(3).toLowerCase() : ''

/** Whether somebody types into a field there. */
export const isField = (target: EventTarget | null): boolean => (target as Element | null)?.closest(EDITABLE) != null

/** Whether the focus is outside the page's own content, in a dialog or the menu. */
export const isElsewhere = (target: EventTarget | null): boolean =>
  (target as Element | null)?.closest(ELSEWHERE) != null
