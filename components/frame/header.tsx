"use client";

import { AccountMenu } from "./account-menu";
import { Clock } from "./clock";
import { FreshnessMark } from "./freshness-mark";
import classes from "./header.module.css";
import { PaletteButton } from "./palette";
import { TenantSwitch } from "./tenant-switch";
import { ZoneSwitch } from "./zone-switch";

/** The controls in the header of every page of a tenant. */
export function Header() {
  return (
    <div className={classes.header}>
      <TenantSwitch />
      <PaletteButton />
      <div className={classes.times}>
        <Clock />
        <ZoneSwitch />
      </div>
      <FreshnessMark />
      <AccountMenu />
    </div>
  );
}
