/** A text in which an email address that is too long for its line breaks before the @. */
export function EmailText({ children }: { children: string }) {
  const at = children.indexOf('@')
  return (
    <span className="min-w-0 [overflow-wrap:anywhere]">
      {children.slice(0, Math.max(0, at))}
      <wbr />
      {children.slice(Math.max(0, at))}
    </span>
  )
}
