export const SettingsScreen = () => null
