import type { SalesOfToday } from '@shop/shared/backlog/endpoints.ts'
import { grouped } from '../dashboard/series.ts'

const twoDigits = (hour: number) => String(hour).padStart(2, '0')

/** The orders at each line of the scale, lowest first: round numbers, at most five, the last above all bars. */
function scaleOf(most: number): number[] {
  const rough = Math.max(most, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map(each => each * power).find(each => each >= rough)!)
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, line) => line * step)
}

/**
 * Draws today's hours in front of last week's outline; the hour of now, which is not over, is paler. Plain boxes,
 * because the first page of the day needs no library of charts for them.
 */
export function HourBars(props: { hours: SalesOfToday['hours']; thisHour: number; lastWeek: string }) {
  const { hours, thisHour, lastWeek } = props
  const scale = scaleOf(Math.max(...hours.flatMap(hour => [hour.orders, hour.lastWeek])))
  const top = scale.at(-1)!
  const part = (orders: number) => `${(orders / top) * 100}%`
  return (
    <div className="hour-bars">
      {scale.map(orders => (
        <span key={orders} className="hour-line number" style={{ bottom: part(orders) }}>
          {grouped(orders)}
        </span>
      ))}
      {hours.map((each, hour) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an hour of the day is its place
        <div key={hour} className="hour">
          {each.lastWeek > 0 && <i className="hour-before" style={{ height: part(each.lastWeek) }} />}
          {each.orders > 0 && (
            <i
              className={hour === thisHour ? 'hour-now is-running' : 'hour-now'}
              style={{ height: part(each.orders) }}
            />
          )}
          <span className="hour-name number">{twoDigits(hour)}</span>
          <div className={`day-tip small ${hour < 12 ? '' : 'is-before'}`}>
            <strong>
              {twoDigits(hour)}:00–{twoDigits(hour)}:59
            </strong>
            <div className="row">
              <span className="grow">วันนี้</span>
              <b className="number">{hour > thisHour ? 'ยังไม่ถึง' : each.orders}</b>
            </div>
            <div className="row">
              <span className="grow">{lastWeek}</span>
              <b className="number">{each.lastWeek}</b>
            </div>
          </div>
        </div>
      ))}
    </div>
  )
}
