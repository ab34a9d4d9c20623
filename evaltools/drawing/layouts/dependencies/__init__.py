"""Pictures of dependency trees and enhanced dependencies: arcs above and below the words."""
