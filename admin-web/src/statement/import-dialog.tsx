export function ImportDialog(_: { accountId: number | null; onClose: () => void }) {
  return null
}
