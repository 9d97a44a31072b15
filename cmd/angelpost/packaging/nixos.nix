# A NixOS module: services.angelpost.enable and .settings, which become angelpost.toml.
# Passwords stay out of the store: name files in settings (imap.password_file).
{ config, lib, pkgs, ... }:
let
  cfg = config.services.angelpost;
  toml = pkgs.formats.toml { };
  file = toml.generate "angelpost.toml" cfg.settings;
in
{
  options.services.angelpost = {
    enable = lib.mkEnableOption "Angelpost, which plays Black Angel by e-mail";
    package = lib.mkOption {
      type = lib.types.package;
      description = "The package with bin/angelpost.";
    };
    settings = lib.mkOption {
      type = toml.type;
      default = { };
      description = "The configuration, as `angelpost init` explains it.";
    };
  };

  config = lib.mkIf cfg.enable {
    services.angelpost.settings = {
      database = lib.mkDefault "/var/lib/angelpost/angelpost.db";
      backup.folder = lib.mkDefault "/var/lib/angelpost/backups";
    };
    environment.systemPackages = [ cfg.package ];
    environment.etc."angelpost/angelpost.toml".source = file;
    users.users.angelpost = {
      isSystemUser = true;
      group = "angelpost";
      home = "/var/lib/angelpost";
    };
    users.groups.angelpost = { };

    # The unit of the Debian package, with the program where Nix has it.
    systemd.packages = [
      (pkgs.writeTextDir "lib/systemd/system/angelpost.service" (
        builtins.replaceStrings [ "/usr/bin/angelpost" ] [ "${cfg.package}/bin/angelpost" ] (
          builtins.readFile ./angelpost.service
        )
      ))
    ];
    systemd.services.angelpost = {
      wantedBy = [ "multi-user.target" ];
      restartTriggers = [ file ];
    };
  };
}
