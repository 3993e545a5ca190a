import { PAYMENT_CODES, PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import { listManagedGames } from '@shop/shared/catalogue/manage-endpoints.ts'
import { ALL } from '@shop/shared/dashboard/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Select } from 'antd'
import { useEffect, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import type { Field } from '../ui/url-filters.ts'

type All = typeof ALL

/** What is looked at; null is an address that names nothing known. */
export interface Criteria<Period extends string> {
  game: number | All | null
  period: Period | null
  paymentMethod: PaymentCode | All | null
}

/** Criteria that name something known each. */
export type Complete<Period extends string> = { [K in keyof Criteria<Period>]: NonNullable<Criteria<Period>[K]> }

function choice<T extends string>(known: readonly T[], standard: T): Field<T | null> {
  return {
    read: ([text]) => (text === undefined ? standard : (known.find(each => each === text) ?? null)),
    write: value => (value === null || value === standard ? [] : [value]),
  }
}

/** The criteria in the address; without a word there, every game and payment method. */
export const criteriaFields = <Period extends string>(periods: readonly Period[], standard: Period) => ({
  game: {
    read: ([text]) => (text === undefined ? ALL : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null),
    write: game => (game === null || game === ALL ? [] : [String(game)]),
  } satisfies Field<number | All | null>,
  period: choice(periods, standard),
  paymentMethod: choice([ALL, ...PAYMENT_CODES], ALL),
})

function complete<Period extends string>(criteria: Criteria<Period>): Complete<Period> | null {
  const { game, period, paymentMethod } = criteria
  return game === null || period === null || paymentMethod === null ? null : { game, period, paymentMethod }
}

const methods = [
  { value: ALL as PaymentCode | All, label: 'ทุกวิธีชำระเงิน' },
  ...PAYMENT_CODES.map(value => ({ value, label: PAYMENT_METHOD[value].name })),
]

const useGames = () => useQuery({ ...useClient().query(listManagedGames), staleTime: 300_000 })

/** What the numbers are of; or, with null, what the address lacks. A game is taken for known until the games are there. */
export function useCriteria<Period extends string>(filters: Criteria<Period>) {
  const games = useGames()
  const criteria = complete<Period>(filters)
  if (!criteria) return { criteria, problem: MISSING }
  const isKnown = criteria.game === ALL || !games.data || games.data.some(({ id }) => id === criteria.game)
  return isKnown ? { criteria, problem: null } : { criteria: null, problem: UNKNOWN_GAME }
}

const UNKNOWN_GAME = 'ไม่พบเกมที่ระบุไว้ในที่อยู่ของหน้านี้ กรุณาเลือกเกม'
/** Said while one of them is missing. */
const MISSING = 'กรุณาเลือกเกม ช่วงเวลา และวิธีชำระเงินให้ครบ'

/** Criteria are chosen first and shown when asked for. */
export function CriteriaBar<Period extends string>(props: {
  label: string
  criteria: Criteria<Period>
  periods: Record<Period, { label: string }>
  isLoading: boolean
  onShow: (criteria: Complete<Period>) => void
}) {
  const { label, criteria, periods, isLoading, onShow } = props
  const games = useGames()
  const [chosen, setChosen] = useState(criteria)
  const { game, period, paymentMethod } = criteria
  useEffect(() => setChosen({ game, period, paymentMethod }), [game, period, paymentMethod])
  const change = (some: Partial<Criteria<Period>>) => setChosen({ ...chosen, ...some })
  const isKnown = chosen.game === ALL || !games.data || games.data.some(({ id }) => id === chosen.game)
  /** Until the games are there, their numbers would be shown. */
  const hasName = chosen.game === ALL || (isKnown && games.data)
  const wanted = isKnown ? complete(chosen) : null
  const options = games.data?.map(each => ({ value: each.id as number | All, label: each.name })) ?? []
  return (
    <FilterBar label={label} isFiltered={false} onReset={() => {}} onSearch={() => wanted && onShow(wanted)}>
      <Select<number | All>
        aria-label="เกม"
        placeholder="เลือกเกม"
        showSearch={{ optionFilterProp: 'label' }}
        loading={games.isPending}
        value={hasName ? chosen.game : null}
        options={[{ value: ALL, label: 'ทุกเกม' }, ...options]}
        onChange={next => change({ game: next })}
        style={{ width: 180 }}
      />
      <Segmented<Period>
        aria-label="ช่วงเวลา"
        options={Object.entries<{ label: string }>(periods).map(([value, entry]) => ({
          value: value as Period,
          label: entry.label,
        }))}
        value={chosen.period ?? ('' as Period)}
        onChange={next => change({ period: next })}
      />
      <Select<PaymentCode | All>
        aria-label="วิธีชำระเงิน"
        placeholder="เลือกวิธีชำระเงิน"
        value={chosen.paymentMethod}
        options={methods}
        onChange={next => change({ paymentMethod: next })}
        style={{ width: 170 }}
      />
      <Button type="primary" htmlType="submit" loading={isLoading} disabled={!wanted}>
        แสดงผล
      </Button>
      {!wanted && (
        <span role="alert" className="is-bad">
          {MISSING}
        </span>
      )}
    </FilterBar>
  )
}
