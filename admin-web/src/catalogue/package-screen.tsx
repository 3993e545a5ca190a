export const PackageScreen = () => null
