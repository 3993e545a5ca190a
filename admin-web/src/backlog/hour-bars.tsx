import type { SalesOfToday } from '@shop/shared/backlog/endpoints.ts'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

const twoDigits = (hour: number) => String(hour).padStart(2, '0')

interface Point {
  hour: string
  lastWeek: number
  done: number
  running: number
  isToCome: boolean
}

/** Draws today's hours in front of last week's outline; the hour of now, which is not over, is paler. */
export function HourBars(props: { hours: SalesOfToday['hours']; thisHour: number; lastWeek: string }) {
  const { hours, thisHour, lastWeek } = props
  const points: Point[] = hours.map((each, hour) => ({
    hour: twoDigits(hour),
    lastWeek: each.lastWeek,
    done: hour < thisHour ? each.orders : 0,
    running: hour === thisHour ? each.orders : 0,
    isToCome: hour > thisHour,
  }))
  const bar = { barSize: 16, isAnimationActive: false } as const
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={points} margin={{ top: 8, right: 0, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid stroke="#eef0f4" vertical={false} />
        <XAxis
          dataKey="hour"
          stroke="#e4e7ed"
          tick={{ fill: '#4b5263', fontSize: 12 }}
          tickLine={false}
          interval="preserveStart"
          minTickGap={12}
        />
        {/* The outline stands in the same place as the bar, not beside it. */}
        <XAxis dataKey="hour" xAxisId="behind" hide />
        <YAxis
          tick={{ fill: '#4b5263', fontSize: 12 }}
          tickLine={false}
          axisLine={false}
          width="auto"
          allowDecimals={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: '#f4f5f8' }}
          wrapperStyle={{ zIndex: 2 }}
          content={({ active, payload }) => {
            const point = active ? (payload[0]?.payload as Point | undefined) : undefined
            return point ? <Tip point={point} lastWeek={lastWeek} /> : null
          }}
        />
        <Bar
          dataKey="lastWeek"
          xAxisId="behind"
          fill="transparent"
          stroke="#9aa3b5"
          strokeDasharray="3 3"
          radius={[3, 3, 0, 0]}
          {...bar}
          // A little narrower, so that it does not fray the edges of the bar before it.
          barSize={14}
        />
        <Bar dataKey="done" stackId="today" fill="#2347c5" radius={[3, 3, 0, 0]} {...bar} />
        <Bar dataKey="running" stackId="today" fill="#8fa2e6" radius={[3, 3, 0, 0]} {...bar} />
      </BarChart>
    </ResponsiveContainer>
  )
}

function Tip({ point, lastWeek: name }: { point: Point; lastWeek: string }) {
  const { hour, done, running, lastWeek, isToCome } = point
  return (
    <div className="day-tip small">
      <strong>
        {hour}:00–{hour}:59
      </strong>
      <div className="row">
        <span className="grow">วันนี้</span>
        <b className="number">{isToCome ? 'ยังไม่ถึง' : done + running}</b>
      </div>
      <div className="row">
        <span className="grow">{name}</span>
        <b className="number">{lastWeek}</b>
      </div>
    </div>
  )
}
