import { Argument } from '@commander-js/extra-typings';
import { MusterCommand } from '../base/command.js';
import { shells } from '../completion/shells.js';
import type { Output } from '../terminal/output.js';
import { groups, json } from './shared.js';

export function completionCommand(output: Output) {
  return new MusterCommand('completion')
    .helpGroup(groups.shell)
    .summary('print a script that completes commands in your shell')
    .description(
      'Prints a script for your shell. For bash: eval "$(muster completion bash)" in ~/.bashrc. For zsh: eval "$(muster completion zsh)" ' +
        'in ~/.zshrc, after compinit. For fish: muster completion fish > ~/.config/fish/completions/muster.fish.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addOption(json())
    .action(async (shell) => {
      const { scripts } = await import('../completion/scripts.js');
      output.print(scripts[shell].trimEnd());
      output.result({ shell, script: scripts[shell] });
    });
}
