export function RefundsScreen() {
  return null
}
