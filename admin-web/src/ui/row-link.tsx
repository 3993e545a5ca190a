import { Link, type LinkProps } from 'react-router-dom'

/**
 * The link of a row of a list; a click beside it follows it, too (see useRowOpeners). With `onOpen` it opens something
 * beside the list, but with a modifier key held the browser follows it as any link.
 */
export function RowLink({ onOpen, className = '', ...link }: LinkProps & { onOpen?: () => void }) {
  return (
    <Link
      {...link}
      className={`row-opener ${className}`}
      onClick={event => {
        if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
      }}
    />
  )
}
