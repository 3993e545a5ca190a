import { listManagedGames } from '@shop/shared/catalogue/manage-endpoints.ts'
import { PAYMENT_CODES, PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { ALL } from '@shop/shared/dashboard/endpoints.ts'
import { keysOf } from '@shop/shared/table.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Select } from 'antd'
import { RefreshCw } from 'lucide-react'
import { useClient } from '../account/session.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import type { Field } from '../ui/url-filters.ts'

type All = typeof ALL

/** The choices in the address of a dashboard; null stands for a word that is not one of the choices. */
export interface Criteria<Period extends string> {
  game: number | All | null
  period: Period | null
  paymentMethod: PaymentCode | All | null
}

/** Criteria that are all known. */
export type Complete<Period extends string> = { [K in keyof Criteria<Period>]: NonNullable<Criteria<Period>[K]> }

function choice<T extends string>(known: readonly T[], standard: T): Field<T | null> {
  return {
    read: ([text]) => (text === undefined ? standard : (known.find(each => each === text) ?? null)),
    write: value => (value === null || value === standard ? [] : [value]),
  }
}

/** The address's fields; without a word there, they mean every game and payment method. */
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

const isKnown = (game: Criteria<string>['game'], games: readonly { id: number }[] | undefined) =>
  game === ALL || !games || games.some(({ id }) => id === game)

/** Returns the criteria of the address, or what is wrong with them. A game counts as known while the games load. */
export function useCriteria<Period extends string>(filters: Criteria<Period>) {
  const games = useGames()
  const criteria = complete<Period>(filters)
  if (!criteria) return { criteria, problem: MISSING }
  return isKnown(criteria.game, games.data) ? { criteria, problem: null } : { criteria: null, problem: UNKNOWN_GAME }
}

const UNKNOWN_GAME = 'ไม่พบเกมที่ระบุไว้ในที่อยู่ของหน้านี้ กรุณาเลือกเกม'
const MISSING = 'กรุณาเลือกเกม ช่วงเวลา และวิธีชำระเงินให้ครบ'

/** Lets people choose criteria, which take effect at once, and load the same ones again. */
export function CriteriaBar<Period extends string>(props: {
  label: string
  criteria: Criteria<Period>
  periods: Record<Period, { label: string }>
  isLoading: boolean
  onChange: (criteria: Partial<Criteria<Period>>) => void
  onReload: () => void
}) {
  const { label, criteria, periods, isLoading, onChange, onReload } = props
  const games = useGames()
  const { game, period, paymentMethod } = criteria
  const options = [{ value: ALL as number | All, label: 'ทุกเกม' }]
  for (const { id, name } of games.data ?? []) options.push({ value: id, label: name })
  return (
    <FilterBar label={label} isFiltered={false} onReset={() => {}} onSearch={onReload}>
      <Select<number | All>
        aria-label="เกม"
        placeholder="เลือกเกม"
        showSearch={{ optionFilterProp: 'label' }}
        loading={games.isPending}
        status={games.isError ? 'error' : undefined}
        // A game without an option, because the games still load, would be shown by its number.
        value={options.some(({ value }) => value === game) ? game : null}
        options={options}
        onChange={next => onChange({ game: next })}
        style={{ width: 180 }}
      />
      {games.isError && (
        <span role="alert" className="row small is-bad">
          โหลดรายชื่อเกมไม่สำเร็จ
          <Button size="small" loading={games.isFetching} onClick={() => games.refetch()}>
            ลองอีกครั้ง
          </Button>
        </span>
      )}
      <Segmented<Period>
        aria-label="ช่วงเวลา"
        options={keysOf(periods).map(value => ({ value, label: periods[value].label }))}
        value={period ?? ('' as Period)}
        onChange={next => onChange({ period: next })}
      />
      <Select<PaymentCode | All>
        aria-label="วิธีชำระเงิน"
        placeholder="เลือกวิธีชำระเงิน"
        value={paymentMethod}
        options={methods}
        onChange={next => onChange({ paymentMethod: next })}
        style={{ width: 170 }}
      />
      <Button htmlType="submit" icon={<RefreshCw size={16} aria-hidden />} loading={isLoading}>
        รีเฟรช
      </Button>
    </FilterBar>
  )
}
