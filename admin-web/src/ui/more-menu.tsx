import { Button, Dropdown } from 'antd'
import { Ellipsis } from 'lucide-react'

/** What is seldom done, behind "⋯". */
export function MoreMenu<Key extends string>(props: {
  /** Its name for those who can't see what it stands beside. */
  label: string
  items: readonly { key: Key; label: string; isDanger?: boolean }[]
  isBusy?: boolean
  isDisabled?: boolean
  size?: 'large' | 'middle'
  onChoose: (key: Key) => void
}) {
  const { label, items, isBusy = false, isDisabled = false, size = 'middle', onChoose } = props
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      autoFocus
      disabled={isDisabled}
      menu={{
        items: items.map(({ key, label, isDanger }) => ({ key, label, danger: isDanger })),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation()
          onChoose(key as Key)
        },
      }}
    >
      <Button
        size={size}
        aria-label={label}
        aria-haspopup="menu"
        loading={isBusy}
        icon={<Ellipsis size={18} aria-hidden />}
      />
    </Dropdown>
  )
}
