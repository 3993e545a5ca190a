/** An email address that breaks before its "@" first when it is too long for its line. */
export function Email({ children: address }: { children: string }) {
  const at = address.lastIndexOf('@')
  if (at < 1) return address
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}
