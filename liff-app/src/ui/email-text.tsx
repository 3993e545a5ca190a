/** An address that breaks before its @, where it must break; other texts as they are. */
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
