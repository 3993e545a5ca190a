export function ReconciliationScreen() {
  return null
}
