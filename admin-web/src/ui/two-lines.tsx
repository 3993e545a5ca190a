import type { ReactNode } from 'react'

/** The content of a table's cell: what people look for, and small below it what else belongs to it. */
export function TwoLines({ children, note }: { children: ReactNode; note: ReactNode }) {
  return (
    <>
      <div>{children}</div>
      {note && <div className="note muted breakable">{note}</div>}
    </>
  )
}
