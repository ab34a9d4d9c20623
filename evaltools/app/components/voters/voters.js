// Keeps the random name of a device in a cookie; one that is there already stays.

export default function (component) {
  const { name, value, seconds } = component.data;
  const known = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  if (known && /^[0-9a-f]{32}$/.test(known)) {
    if (known !== value) component.setTriggerValue("known", known);
    return;
  }
  document.cookie = `${name}=${value}; Max-Age=${seconds}; Path=/; SameSite=Lax`;
}
