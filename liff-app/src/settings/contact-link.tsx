import { useContact } from './contact.ts'

/** The words as a way to the shop, beside the page they stand on; only words where the shop tells no way. */
export function ContactLink({ children }: { children: string }) {
  const [way] = useContact().ways
  if (!way) return children
  return (
    <a href={way.url} target="_blank" rel="noreferrer" className="link">
      {children}
    </a>
  )
}
