import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface TableProps {
  /** The name of the table, which is only read out. */
  caption: string
  headings: string[]
  /** The heading whose column holds amounts. */
  amounts: string
  /** The rows. Each ends with a cell for its buttons. */
  children: ReactNode
}

/** A table for wide screens. */
export const Table = ({ caption, headings, amounts, children }: TableProps) => (
  <table className="mt-2 w-full text-left text-small">
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr className="border-line border-b text-ink-2">
        {headings.map(heading => (
          <th
            key={heading}
            scope="col"
            className={classes('whitespace-nowrap py-2.5 pr-4 font-medium', heading === amounts && 'text-right')}
          >
            {heading}
          </th>
        ))}
        <th scope="col" className="py-2.5 pr-4">
          <span className="sr-only">การทำรายการ</span>
        </th>
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)
