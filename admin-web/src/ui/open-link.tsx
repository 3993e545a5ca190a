import { Link, type LinkProps } from 'react-router-dom'

/** A link that opens something beside its list; with a modifier key held the browser follows it as any link. */
export function OpenLink({ onOpen, ...link }: LinkProps & { onOpen: () => void }) {
  return (
    <Link
      {...link}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
      }}
    />
  )
}
