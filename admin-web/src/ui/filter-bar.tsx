import { Button, DatePicker, Select } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'

/** The filters above a list, with a button that resets them, and at the end other actions. */
export function FilterBar(props: {
  label: string
  isFiltered: boolean
  onReset: () => void
  /** Runs on Enter and on the search button, where the filters have one. */
  onSearch?: () => void
  actions?: ReactNode
  /** A choice between lists, which stands on its own line. */
  lists?: ReactNode
  children: ReactNode
}) {
  const { label, isFiltered, onReset, onSearch, actions, lists, children } = props
  return (
    <search aria-label={label}>
      <form
        className="filters"
        onSubmit={event => {
          event.preventDefault()
          onSearch?.()
        }}
      >
        {lists}
        {lists && <span className="new-line" />}
        {children}
        {/* Stands last, so that nothing beside it moves; kept in its place unseen, it would take an empty line on a laptop. */}
        {isFiltered && (
          <Button type="link" style={{ padding: 0 }} onClick={onReset}>
            ล้างตัวกรอง
          </Button>
        )}
        {actions && <span className="grow" />}
        {actions}
      </form>
    </search>
  )
}

/** Picks a month "YYYY-MM"; null means every month. */
export function MonthFilter(props: { label?: string; month: string | null; onChange: (month: string | null) => void }) {
  const { label = 'เดือน', month, onChange } = props
  return (
    <DatePicker
      picker="month"
      aria-label={label}
      title={label}
      format="MMM YYYY"
      placeholder="ทุกเดือน"
      value={month ? dayjs(`${month}-01`) : null}
      onChange={chosen => onChange(chosen ? chosen.format('YYYY-MM') : null)}
      style={{ width: 140 }}
    />
  )
}

/** Picks several options; none picked means all. `options` is undefined while they are being loaded. */
export function ChoicesFilter<T extends string | number>(props: {
  label: string
  /** The placeholder while nothing is chosen. */
  all: string
  options: readonly { value: T; label: string }[] | undefined
  chosen: T[]
  width: number
  onChange: (chosen: T[]) => void
}) {
  const { label, all, options, chosen, width, onChange } = props
  return (
    <Select<T[]>
      mode="multiple"
      aria-label={label}
      placeholder={all}
      maxTagCount="responsive"
      showSearch={{ optionFilterProp: 'label' }}
      allowClear
      loading={!options}
      value={options ? chosen : []}
      options={options && [...options]}
      onChange={onChange}
      style={{ width }}
    />
  )
}
