import { StaffLink } from '../account/staff-link.tsx'

export interface Bar {
  key: string
  name: string
  about?: string | null
  value: number
  /** Said after the value, such as how many orders it is. */
  note?: string
  /** The address of the orders behind it. */
  to?: string
  /** Whether several stand together in it. */
  isRest?: boolean
  /** Whether it is what the others are not part of. It has no bar, because it would press theirs to nothing. */
  isOutside?: boolean
}

/** A ranked list with a bar beside each value. */
export function Bars({ rows, textOf }: { rows: Bar[]; textOf: (value: number) => string }) {
  const most = Math.max(...rows.filter(({ isOutside }) => !isOutside).map(({ value }) => value))
  return (
    <ul className="bars">
      {rows.map(({ key, name, about, value, note, to, isRest, isOutside }) => (
        <li key={key}>
          <span>
            {to ? (
              <StaffLink page="history" className="cut" title={name} to={to}>
                {name}
              </StaffLink>
            ) : (
              <span className="cut" title={name}>
                {name}
              </span>
            )}
            {about && <span className="note muted cut">{about}</span>}
          </span>
          {isOutside ? (
            <i aria-hidden="true" />
          ) : (
            <i className={isRest ? 'track is-rest' : 'track'} aria-hidden="true">
              <i style={{ width: `${most > 0 ? Math.max(0.5, (value / most) * 100) : 0}%` }} />
            </i>
          )}
          <span className="number">
            <b>{textOf(value)}</b>
            {note && <span className="note muted">{note}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
