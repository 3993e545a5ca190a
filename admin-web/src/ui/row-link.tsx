import type { AnchorHTMLAttributes } from 'react'
import { Link } from 'react-router-dom'

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> {
  to: string
  onOpen?: () => void
}

/**
 * The link of a row of a list; a click beside it follows it, too (see useRowOpeners). With `onOpen` it opens something
 * beside the list, but with a modifier key held the browser follows it as any link. Such a link asks the router for
 * nothing: else each row would be drawn again whenever the address changes, which opening a row does.
 */
export function RowLink({ to, onOpen, className = '', ...link }: Props) {
  const look = `row-opener ${className}`
  if (!onOpen) return <Link {...link} to={to} className={look} />
  return (
    <a
      {...link}
      href={to}
      className={look}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
      }}
    />
  )
}
